import CoreDataPredicates
import Foundation

@testable import CoreData

/// Draws predicates of notes that memory can answer.
struct RandomPredicates {
  typealias Tree = CoreDataPredicates.PredicateTree
  typealias Expression = CoreDataPredicates.ExpressionTree

  var random: SeededGenerator
  let desk: Desk

  mutating func predicate(depth: Int = 2) -> Tree {
    switch random.index(below: depth > 0 ? 7 : 4) {
    case 4: .and([predicate(depth: depth - 1), predicate(depth: depth - 1)])
    case 5: .or([predicate(depth: depth - 1), predicate(depth: depth - 1)])
    case 6: .not(predicate(depth: depth - 1))
    case 3: .comparison(collection())
    case _: .comparison(single())
    }
  }
}

// MARK: - Single values

extension RandomPredicates {
  private enum Kind: CaseIterable {
    case text
    case number
    case date
    case code
    case link
    case payload
    case folder
    case note
    case entity
  }

  private mutating func single() -> Comparison {
    let kind = random.one(of: Kind.allCases + [.text, .text, .number])
    let left = expression(kind)
    if random.chance(1, of: 8) { return inList(left, kind) }
    switch kind {
    case .text where random.chance(2, of: 3):
      return text(left)
    case .number where random.chance(1, of: 6), .date where random.chance(1, of: 4):
      return Comparison(left, .between, .aggregate([operand(kind), operand(kind)]))
    case .text, .number, .date, .code, .link, .payload:
      return Comparison(left, op(isOrdered: true), operand(kind))
    case .folder, .note, .entity:
      return Comparison(left, op(isOrdered: false), operand(kind))
    }
  }

  private mutating func op(isOrdered: Bool) -> Comparison.Operator {
    let all: [Comparison.Operator] = [
      .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo,
    ]
    return all[random.index(below: isOrdered ? 6 : 2)]
  }

  private mutating func options() -> Comparison.Options {
    random.one(of: [
      [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
      .normalized,
    ])
  }

  private mutating func text(_ left: Expression) -> Comparison {
    let op = random.one(of: [
      Comparison.Operator.contains, .in, .beginsWith, .endsWith, .like, .matches, .equalTo,
      .notEqualTo, .lessThan, .greaterThanOrEqualTo,
    ])
    let options = options()
    switch op {
    case .like, .matches:
      let patterns = [
        "*", "s*t", "?wift", "caf?", "", "*\\*?", "S.*", "[a-z]+", "note \\d+", "(?i)i", ".*ß.*",
      ]
      return Comparison(left, op, pattern(random.one(of: patterns), op), options: options)
    case .contains, .in, .beginsWith, .endsWith:
      let parts = ["", "s", "S", "wif", "é", "E", "Ä", "a", "i", "SS", "ß", "'", "%", "本", "fi"]
      let part: Expression =
        random.chance(1, of: 6) ? expression(.text) : .constant(Constant(random.one(of: parts)))
      return Comparison(left, op, part, options: options)
    case _:
      return Comparison(left, op, operand(.text), options: options)
    }
  }

  /// Patterns with stars are not all regular expressions.
  private func pattern(_ text: String, _ op: Comparison.Operator) -> Expression {
    let isExpression = (try? NSRegularExpression(pattern: text)) != nil  // Else a LIKE only.
    return .constant(Constant(op == .matches && !isExpression ? ".*" : text))
  }

  private mutating func inList(_ left: Expression, _ kind: Kind) -> Comparison {
    let count = random.one(of: [0, 1, 3, 30])
    var values = (0..<count).map { _ in constant(kind) }
    if random.chance(1, of: 4) { values.append(nil) }
    if random.chance(1, of: 4) { values.append("of another kind") }
    if random.chance(1, of: 4) {
      return Comparison(left, .in, .aggregate([expression(kind), operand(kind)]))
    }
    return Comparison(
      left,
      .in,
      .constant(Constant(values.map { $0 ?? NSNull() })),
      options: kind == .text ? options() : []
    )
  }

  /// The right side: mostly a constant, at times another column or nil.
  private mutating func operand(_ kind: Kind) -> Expression {
    switch random.index(below: 8) {
    case 0: .constant(Constant(nil))
    case 1, 2: expression(kind)
    case _: .constant(Constant(constant(kind)))
    }
  }

  private mutating func constant(_ kind: Kind) -> Any? {
    switch kind {
    case .text: return random.one(of: DeskValues.texts)
    case .number:
      return random.chance(1, of: 2)
        ? random.one(of: DeskValues.integers)
        : random.chance(1, of: 2)
          ? random.one(of: DeskValues.reals) : random.one(of: DeskValues.decimals)
    case .date: return random.one(of: DeskValues.dates)
    case .code: return random.one(of: DeskValues.codes)
    case .link: return random.one(of: DeskValues.links)
    case .payload: return random.one(of: DeskValues.payloads)
    case .folder:
      return random.chance(1, of: 6)
        ? Stand(.elsewhere) : random.one(of: desk.objects(of: "Folder"))
    case .note: return random.one(of: desk.objects(of: "Note"))
    case .entity: return Stand.entity(random.one(of: ["Note", "Memo", "Folder"]))
    }
  }

  private mutating func expression(_ kind: Kind) -> Expression {
    switch kind {
    case .text:
      let paths = ["title", "body", "folder.name", "folder.parent.name"]
      let path = Expression.path(random.one(of: paths))
      guard random.chance(1, of: 8) else { return path }
      return .function(random.one(of: [.uppercase, .lowercase, .canonical]), [path])
    case .number: return number(depth: 2)
    case .date: return .path("createdAt")
    case .code: return .path("code")
    case .link: return .path("link")
    case .payload: return .path("payload")
    case .folder: return .path(random.one(of: ["folder", "folder.parent", "folder.objectID"]))
    case .note: return random.chance(1, of: 2) ? .evaluatedObject : .path("objectID")
    case .entity: return .path("entity")
    }
  }

  private mutating func number(depth: Int) -> Expression {
    let paths = [
      "stars", "isDone", "price", "ratio", "folder.rank", "tags.@count", "tags.@sum.weight",
      "tags.@avg.weight", "tags.@max.weight", "folder.notes.@count", "folder.notes.@min.stars",
      "links.@count", "pins.@count", "tags.notes.@count", "tags.notes.@sum.stars",
      "tags.label.@count", "folder.notes.folder.@count",
    ]
    guard depth > 0, random.chance(1, of: 4) else { return .path(random.one(of: paths)) }
    switch random.index(below: 4) {
    case 0:
      let functions: [PredicateFunction] = [
        .absolute, .floor, .ceiling, .truncate, .onesComplement,
      ]
      return .function(random.one(of: functions), [number(depth: depth - 1)])
    case 1:
      return .function(.length, [.path("title")])
    case 2:
      let predicate = Tree.comparison(Comparison(.path("stars"), .greaterThan, .path("ratio")))
      return .conditional(predicate, .path("stars"), .path("folder.rank"))
    case _:
      let functions: [PredicateFunction] = [
        .add, .subtract, .multiply, .divide, .modulus, .bitwiseAnd, .bitwiseOr, .bitwiseXor,
        .leftShift,
      ]
      let operands = [number(depth: depth - 1), .constant(Constant(constant(.number)))]
      return .function(random.one(of: functions), operands)
    }
  }
}

// MARK: - Collections

extension RandomPredicates {
  private mutating func collection() -> Comparison {
    switch random.index(below: 6) {
    case 0: return membership()
    case 1: return subquery()
    case _: break
    }
    let modifier: Comparison.Modifier = random.chance(1, of: 2) ? .any : .all
    if random.chance(1, of: 2) {
      let paths = [
        "tags.label", "folder.notes.title", "pins.label", "links.title", "tags.notes.title",
        "tags.notes.folder.name",
      ]
      var comparison = text(.path(random.one(of: paths)))
      comparison.modifier = modifier
      return comparison
    }
    let paths = ["tags.weight", "folder.notes.stars", "links.ratio", "folder.children.rank"]
    let left = Expression.path(random.one(of: paths))
    return Comparison(left, op(isOrdered: true), operand(.number), modifier: modifier)
  }

  private mutating func membership() -> Comparison {
    switch random.index(below: 4) {
    case 0:
      let tag = Constant(random.one(of: desk.objects(of: "Tag")))
      let path = random.one(of: ["tags", "pins", "folder.notes.tags", "links.tags"])
      return random.chance(1, of: 2)
        ? Comparison(.constant(tag), .in, .path(path))
        : Comparison(.path(path), .contains, .constant(tag))
    case 1:
      return Comparison(.evaluatedObject, .in, .path(random.one(of: ["links", "folder.notes"])))
    case 2:
      return Comparison(
        .path(random.one(of: ["tags", "links", "folder.notes"])),
        random.one(of: [.equalTo, .notEqualTo]),
        .constant(Constant(nil))
      )
    case _:
      return Comparison(operand(.text), .in, .path("tags.label"), options: options())
    }
  }

  private mutating func subquery() -> Comparison {
    let inner: Tree =
      random.chance(1, of: 2)
      ? .comparison(
        Comparison(.path(.variable("n"), ["stars"]), op(isOrdered: true), operand(.number))
      )
      : .not(
        .comparison(
          Comparison(
            .path(.variable("n"), ["folder", "name"]),
            op(isOrdered: false),
            operand(.text)
          )
        )
      )
    let path = random.one(of: ["links", "folder.notes", "tags.notes"])
    let found = Expression.subquery(.path(path), variable: "n", inner)
    if random.chance(1, of: 3) {
      return Comparison(
        .path(found, ["stars"]),
        op(isOrdered: true),
        operand(.number),
        modifier: random.one(of: [.any, .all])
      )
    }
    return Comparison(.path(found, ["@count"]), op(isOrdered: true), operand(.number))
  }
}
