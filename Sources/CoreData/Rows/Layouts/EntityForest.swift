import CoreDataModel

/// The entities of a model as trees of inheritance, numbered as Apple numbers them.
///
///     Item            1 Folder
///     ├─ note         2 Item
///     └─ Attachment   3   Attachment
///     Folder          4   note
///
/// Numbers run through each tree from the top down; entities beside each other are in the order of
/// their names, upper and lower case alike.
struct EntityForest {
  /// Node number 1 comes first.
  let nodes: [Node]
  private let numbers: [String: Int]

  struct Node {
    let schema: EntitySchema
    let number: Int
    let superNumber: Int
    let rootNumber: Int
    var numbers: ClosedRange<Int>
  }

  init(_ schema: ModelSchema) {
    let names = Set(schema.entities.map(\.name))
    precondition(names.count == schema.entities.count, "two entities of the model share a name")
    for entity in schema.entities {
      guard let parent = entity.superentityName else { continue }
      precondition(
        names.contains(parent),
        "entity \(entity.name) has the superentity \(parent), which is not in the model"
      )
    }
    var planting = Planting(entities: schema.entities)
    planting.plant(below: nil, superNumber: 0, rootNumber: nil)
    precondition(
      planting.nodes.count == schema.entities.count,
      "some of the model's entities are their own superentities"
    )
    nodes = planting.nodes
    numbers = Dictionary(uniqueKeysWithValues: nodes.map { ($0.schema.name, $0.number) })
  }

  subscript(number: Int) -> Node { nodes[number - 1] }

  func number(of name: String) -> Int? { numbers[name] }

  /// All nodes by name alone, inheritance aside.
  var nodesByName: [Node] {
    nodes.sorted { $0.schema.name.precedesAsEntity($1.schema.name) }
  }
}

// MARK: - Numbering

extension EntityForest {
  private struct Planting {
    let children: [String?: [EntitySchema]]
    var nodes: [Node] = []

    init(entities: [EntitySchema]) {
      children = Dictionary(grouping: entities, by: \.superentityName)
        .mapValues { $0.sorted { $0.name.precedesAsEntity($1.name) } }
    }

    mutating func plant(below name: String?, superNumber: Int, rootNumber: Int?) {
      for entity in children[name] ?? [] {
        let number = nodes.count + 1
        let root = rootNumber ?? number
        nodes.append(
          Node(
            schema: entity,
            number: number,
            superNumber: superNumber,
            rootNumber: root,
            numbers: number...number
          )
        )
        plant(below: entity.name, superNumber: number, rootNumber: root)
        nodes[number - 1].numbers = number...nodes.count
      }
    }
  }
}
