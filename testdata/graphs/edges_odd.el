0 1 % one1 2
  # indented

2 0

