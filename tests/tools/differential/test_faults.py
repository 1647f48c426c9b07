"""The faults that are switched on in a copy of nonocsp."""

from tools.differential.faults import FAULTS


def test_each_fault_finds_the_passage_that_it_replaces(repository):
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    for file in {fault.file for fault in FAULTS}:
        source = (repository / "nonocsp" / file).read_text()
        for fault in FAULTS:
            if fault.file == file:
                source = fault.patched(source)
                assert f'"{fault.name}"' in source or f"'{fault.name}'" in source
