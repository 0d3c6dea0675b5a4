#include "core/graph/graph.h"
