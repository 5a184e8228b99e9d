import CoreDataModel

/// An entity in a diagram.
///
///     ┌──────────────────────┐
///     │ Note                 │  the name, in a coloured band
///     ├──────────────────────┤
///     │ title         String │  attributes, with their types
///     ├──────────────────────┤
///     │ folder       Folder? │  relationships, at whose rows lines begin
///     └──────────────────────┘
struct DiagramBox: Hashable, Sendable {
  let name: String
  let content: Content
  var frame: Frame

  struct Frame: Hashable, Sendable {
    var x = 0.0
    var y = 0.0
    var width: Double
    var height: Double
  }

  struct Content: Hashable, Sendable {
    let title: String
    let isAbstract: Bool
    let rows: [Row]
    /// The place of the first relationship among the rows.
    let firstRelationship: Int
    /// The places of relationships among the rows, by their names.
    let relationshipRows: [String: Int]
  }

  struct Row: Hashable, Sendable {
    let name: String
    let text: String
    let detail: String
    let kind: Kind

    enum Kind: Hashable, Sendable {
      case attribute
      case relationship
      case fetched
    }
  }

  enum Measure {
    static let band = 32.0
    static let row = 21.0
    /// Above the first and below the last row of a group.
    static let margin = 6.0
    static let inset = 12.0
    static let between = 22.0
    static let titleSize = 14.0
    static let textSize = 12.0
    static let detailSize = 11.0
    static let leastWidth = 150.0
    static let greatestText = 230.0
  }

  init(_ entity: EntitySchema) {
    name = entity.name
    let rows =
      entity.attributes.map(Row.init) + entity.relationships.map(Row.init)
      + entity.fetchedProperties.map(Row.init)
    content = Content(
      // Whole, however long: an entity is found by its name.
      title: entity.name,
      isAbstract: entity.isAbstract,
      rows: rows,
      firstRelationship: entity.attributes.count,
      relationshipRows: Dictionary(
        zip(entity.relationships.map(\.name), entity.attributes.count...)
      ) { first, _ in first }
    )
    frame = Frame(width: 0, height: 0)
    frame = Frame(width: width, height: height)
  }

  private var width: Double {
    let rows = content.rows.map { row in
      TextWidth.of(row.text, size: Measure.textSize)
        + TextWidth.of(row.detail, size: Measure.detailSize) + Measure.between
    }
    let title = TextWidth.of(content.title, size: Measure.titleSize * 1.1)
    let widest = max(rows.max() ?? 0, title) + 2 * Measure.inset
    return max(Measure.leastWidth, widest.rounded(.up))
  }

  private var height: Double {
    let rows = content.rows.map(\.kind)
    guard let last = rows.indices.last else { return Measure.band + 2 * Measure.margin }
    return bottom(of: last) + Measure.margin
  }
}

// MARK: - Rows

extension DiagramBox {
  /// The groups of rows, each with a line above it.
  static func group(of kind: Row.Kind) -> Int { kind == .attribute ? 0 : 1 }

  /// How far below the box's top a row begins.
  func top(of row: Int) -> Double {
    let first = content.rows.first.map { Self.group(of: $0.kind) } ?? 0
    let isNewGroup = Self.group(of: content.rows[row].kind) != first
    return Measure.band + Measure.margin + (isNewGroup ? 2 * Measure.margin : 0)
      + Double(row) * Measure.row
  }

  func bottom(of row: Int) -> Double { top(of: row) + Measure.row }

  func middle(of row: Int) -> Double { top(of: row) + Measure.row / 2 }

  func row(ofRelationship name: String) -> Int? { content.relationshipRows[name] }

  /// The first row whose middle is at an offset, or near it.
  func row(near offset: Double) -> Int? {
    // Rows are in the order of their middles.
    var (low, high) = (0, content.rows.count)
    while low < high {
      let row = (low + high) / 2
      if middle(of: row) < offset - 7 { low = row + 1 } else { high = row }
    }
    return low < content.rows.count && middle(of: low) <= offset + 7 ? low : nil
  }

  /// The row at which a second group begins.
  var dividingRow: Int? {
    guard let first = content.rows.first else { return nil }
    return content.rows.firstIndex { Self.group(of: $0.kind) != Self.group(of: first.kind) }
  }
}

extension DiagramBox.Row {
  private init(_ name: String, _ detail: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
    let width = DiagramBox.Measure.greatestText
    text = TextWidth.fitting(name, size: DiagramBox.Measure.textSize, within: width)
    self.detail = TextWidth.fitting(detail, size: DiagramBox.Measure.detailSize, within: width)
  }

  fileprivate init(_ attribute: AttributeSchema) {
    var words = [attribute.type.word + (attribute.isOptional ? "?" : "")]
    if attribute.derivationExpression != nil { words.append("derived") }
    if attribute.isTransient { words.append("transient") }
    self.init(attribute.name, words.joined(separator: " · "), .attribute)
  }

  fileprivate init(_ relationship: RelationshipSchema) {
    let name = relationship.destinationName
    var words = [
      relationship.isToMany ? "[\(name)]" : name + (relationship.isOptional ? "?" : "")
    ]
    if relationship.isOrdered { words.append("ordered") }
    switch relationship.deleteRule {
    case .nullify: break
    case .noAction, .cascade, .deny: words.append(relationship.deleteRule.word.lowercased())
    }
    self.init(relationship.name, words.joined(separator: " · "), .relationship)
  }

  fileprivate init(_ property: FetchedPropertySchema) {
    self.init(property.name, "fetches \(property.request.entityName)", .fetched)
  }
}
