/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 the gnomon authors */
#include "lib/pagein/ports.h"

#include "lib/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#define CONNECT_TIMEOUT_MS 10000
#define BAUD_DEFAULT       115200

const char *port_words(int error)
{
    const char *text = strerrordesc_np(error);
    return text != NULL ? text : "unknown error";
}

/* ---- tcp ----------------------------------------------------------------------------------------------------------- */
/* "host:port" or "[::1]:port" into its two parts */
static bool split(const char *where, char host[256], char port[8])
{
    const char *colon = strrchr(where, ':');
    if (colon == NULL || colon == where || strlen(colon + 1) < 1 || strlen(colon + 1) > 5 ||
            strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return false;
    const char *from = where, *to = colon;
    if (from[0] == '[' && to[-1] == ']') {
        from++;
        to--;
    }
    if (to <= from || (size_t)(to - from) > 255)
        return false;
    memcpy(host, from, (size_t)(to - from));
    host[to - from] = '\0';
    memcpy(port, colon + 1, strlen(colon + 1) + 1);
    return true;
}

/* the connection is made, or errno says why not */
static bool is_connected(int fd, const struct addrinfo *a)
{
    int error = 0;
    socklen_t n = sizeof error;
    struct pollfd p = {.fd = fd, .events = POLLOUT};
    if (connect(fd, a->ai_addr, a->ai_addrlen) == 0)
        return true;
    if (errno != EINPROGRESS)
        return false;
    if (poll(&p, 1, CONNECT_TIMEOUT_MS) != 1) {
        errno = ETIMEDOUT;
        return false;
    }
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &n) != 0)
        return false;
    errno = error;
    return error == 0;
}

gn_status port_open_tcp(const char *where, int *fd, struct gn_error *err)
{
    char host[256], port[8];
    struct addrinfo *list = NULL, hint = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    if (!split(where, host, port))
        return gn_fail(err, GN_E_ARG, "pages: 'tcp://%.100s' is not tcp://HOST:PORT", where);
    int no = getaddrinfo(host, port, &hint, &list);
    if (no != 0)
        return gn_fail(err, GN_E_DEVICE, "pages: host '%.100s' is not found: %s", host, gai_strerror(no));
    *fd = -1;
    int error = 0;
    for (const struct addrinfo *a = list; a != NULL && *fd < 0; a = a->ai_next) {
        int s = socket(a->ai_family, a->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, a->ai_protocol);
        if (s >= 0 && is_connected(s, a)) {
            *fd = s;
            continue;
        }
        error = errno;
        if (s >= 0)
            (void)close(s);
    }
    freeaddrinfo(list);
    return *fd >= 0 ? GN_OK : gn_fail(err, GN_E_DEVICE, "pages: no connection to %.100s port %s: %s", host, port,
                                      port_words(error));
}

/* ---- serial -------------------------------------------------------------------------------------------------------- */
static const struct {
    long baud;
    speed_t speed;
} speeds[] = {{4800, B4800}, {9600, B9600}, {19200, B19200}, {38400, B38400}, {57600, B57600}, {115200, B115200},
        {230400, B230400}, {460800, B460800}, {921600, B921600}};

static bool find_speed(const char *text, speed_t *ret)
{
    char *end = NULL;
    long baud = text != NULL ? strtol(text, &end, 10) : BAUD_DEFAULT;
    if (text != NULL && (end == text || *end != '\0'))
        return false;
    for (size_t i = 0; i < GN_COUNT(speeds); i++)
        if (speeds[i].baud == baud) {
            *ret = speeds[i].speed;
            return true;
        }
    return false;
}

static bool set_raw(int fd, speed_t speed)
{
    struct termios t;
    if (tcgetattr(fd, &t) != 0)
        return false;
    cfmakeraw(&t);
    t.c_cflag |= CLOCAL | CREAD;
    t.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
    return cfsetispeed(&t, speed) == 0 && cfsetospeed(&t, speed) == 0 && tcsetattr(fd, TCSANOW, &t) == 0;
}

gn_status port_open_serial(const char *where, int *fd, struct gn_error *err)
{
    char path[256];
    speed_t speed = B115200;
    const char *at = strrchr(where, '@');
    size_t n = at != NULL ? (size_t)(at - where) : strlen(where);
    if (n == 0 || n >= sizeof path)
        return gn_fail(err, GN_E_ARG, "pages: 'serial:%.100s' is not serial:/dev/NAME[@BAUD]", where);
    if (!find_speed(at != NULL ? at + 1 : NULL, &speed))
        return gn_fail(err, GN_E_ARG, "pages: '%.20s' is no baud rate from 4800 to 921600", at + 1);
    memcpy(path, where, n);
    path[n] = '\0';
    *fd = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (*fd < 0)
        return gn_fail(err, GN_E_DEVICE, "pages: cannot open '%.160s': %s", path, port_words(errno));
    if (set_raw(*fd, speed))
        return GN_OK;
    gn_status st = gn_fail(err, GN_E_DEVICE, "pages: '%.160s' is not a serial port: %s", path, port_words(errno));
    (void)close(*fd);
    return st;
}
