1 2
0 1
# Ids: 1 to 4
