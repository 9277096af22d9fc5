0 1
# Nodes: 5
