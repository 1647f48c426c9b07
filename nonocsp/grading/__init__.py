"""How hard puzzles are: the meter, the classes, the hardest families, the census, the explanation.

Named after what it does and not ``difficulty``, because `nonocsp.difficulty` is the function: a package and a
function of one name would take turns at being what the name means.
"""
