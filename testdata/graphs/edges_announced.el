# Nodes: 5 Edges: 2
0 1
7 1
