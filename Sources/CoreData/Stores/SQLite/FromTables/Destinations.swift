import CoreDataModel

/// The destination of a key: the table does not name it, but its keys and its name show it.
///
///     ZNOTE.ZFOLDER   1, 4, 7      there are folders 1, 4 and 7, and Folder is its name too
///
/// Only an entity without subentities comes into question; otherwise the entity of each row would be in a column
/// beside the key.
struct Destinations {
  let entities: NumberedEntities

  /// The number of the destination; nil when it cannot be told.
  func destination(of key: ColumnUse.Key, _ targets: TableFacts.Targets?) -> Int? {
    if let known = key.destination { return known }
    let leaves = entities.all.map(\.number).filter { !entities.hasSubentities($0) }
    let targets = targets ?? TableFacts.Targets()
    let reached = leaves.filter { isReached($0, targets) }
    let candidates = reached.isEmpty ? leaves : reached
    if key.isDoubtful, reached.isEmpty { return nil }
    if let namesake = candidates.first(where: { lowercasedName($0) == key.name.lowercased() }) {
      return namesake
    }
    let alike = candidates.filter { isAlike(lowercasedName($0), key.name.lowercased()) }
    if alike.count == 1 { return alike[0] }
    return candidates.count == 1 && !key.isDoubtful ? candidates[0] : nil
  }

  /// Whether nearly all keys are rows of the entity; a missing row does not prove anything against it.
  private func isReached(_ entity: Int, _ targets: TableFacts.Targets) -> Bool {
    targets.keyCount > 0 && targets.matches[entity, default: 0] * 10 >= targets.keyCount * 9
  }

  private func lowercasedName(_ entity: Int) -> String { entities[entity].name.lowercased() }

  private func isAlike(_ entity: String, _ property: String) -> Bool {
    entity.hasSuffix(property) || property.hasSuffix(entity) || entity.hasPrefix(property)
  }
}

/// The possible names of an inverse relationship: the plural of the entity that leads here.
///
///     Tweet.user   ◀▶   User.tweets
enum Plural {
  static func of(_ entity: String) -> String {
    let name = entity.prefix(1).lowercased() + entity.dropFirst()
    let vowels = "aeiou"
    if name.hasSuffix("y"), let before = name.dropLast().last, !vowels.contains(before) {
      return name.dropLast() + "ies"
    }
    let hisses = ["s", "x", "z", "ch", "sh"].contains { name.hasSuffix($0) }
    return name + (hisses ? "es" : "s")
  }
}
