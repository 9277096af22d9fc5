graph [
  directed 1
  node [
    id 0
    label "Anna"
  ]
  node [
    id 1
    label "Boris"
  ]
  edge [
    source 0
    target 1
  ]
]
