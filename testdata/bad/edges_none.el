# Nodes: 3
