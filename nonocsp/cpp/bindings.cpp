// The Python module nonocsp._core; its typed face is nonocsp/_core.pyi.
#include "bindings.hpp"

NB_MODULE(_core, m) {
    nonocsp::bind_lines(m);
    nonocsp::bind_encoding(m);
}
