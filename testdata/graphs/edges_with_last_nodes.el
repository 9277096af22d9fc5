0 1
# Ids: 0 to 4
