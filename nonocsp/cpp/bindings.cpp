// The Python bindings of the core (module nonocsp._core).
#include <nanobind/nanobind.h>

#include <atomic>

namespace nb = nanobind;

class StopFlag {
  public:
    void set() { flag_.store(true, std::memory_order_relaxed); }
    bool is_set() const { return flag_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> flag_{false};
};

NB_MODULE(_core, m) {
    nb::class_<StopFlag>(m, "StopFlag")
        .def(nb::init<>())
        .def("set", &StopFlag::set)
        .def("is_set", &StopFlag::is_set);
}
