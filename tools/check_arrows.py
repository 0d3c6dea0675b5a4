#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who may include whom: sdk <- lib <- plugins, cli; sdk <- core <- cli. Core never says "satellite".

usage: check_arrows.py ROOT   prints each wrong arrow as file:line, exits 1 when there is one.
"""
import pathlib
import re
import sys

MAY = {
    "sdk": {"sdk"},
    "lib": {"sdk", "lib"},
    "core": {"sdk", "core"},
    "plugins": {"sdk", "lib"},
    "cli": {"sdk", "lib", "core", "cli"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
FOREIGN_WORDS = re.compile(r"\b(satellite|galileo|gps|prn)s?\b", re.I)


def room_of(include, plugin):
    if include.startswith("gnomon/"):
        return "sdk"
    parts = include.split("/")
    if parts[0] == "plugins":
        return "plugins" if len(parts) > 2 and parts[1] == plugin else "another plugin"
    return parts[0]


def faults(root):
    for room, allowed in MAY.items():
        for path in sorted((root / room).rglob("*.[ch]")):
            rel = path.relative_to(root)
            plugin = rel.parts[1] if room == "plugins" and len(rel.parts) > 2 else None
            for n, line in enumerate(path.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                if match:
                    target = room_of(match.group(1), plugin)
                    if target not in allowed | ({"plugins"} if plugin else set()):
                        yield f"{rel}:{n}: {room} includes {match.group(1)} ({target})"
                if room == "core" and FOREIGN_WORDS.search(line):
                    yield f"{rel}:{n}: core speaks of '{FOREIGN_WORDS.search(line).group(0)}'"


def main():
    found = list(faults(pathlib.Path(sys.argv[1])))
    print("\n".join(found) if found else "arrows hold")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
