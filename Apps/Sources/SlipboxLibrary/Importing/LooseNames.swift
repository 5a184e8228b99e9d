/// Things by their names: found as these are written, and if there is no such name, without case and accents.
///
/// ```
/// names["Résumé"]      the one of that name, even if another is called “Resume”
/// names["résume"]      the first of the two
/// ```
struct LooseNames<Thing: Sendable>: Sendable {
  private var exact: [String: Thing] = [:]
  private var loose: [String: Thing] = [:]

  /// Gives a thing a name, unless another has it already.
  mutating func add(_ thing: Thing, as name: String) {
    if exact[name] == nil { exact[name] = thing }
    let name = name.canonical
    if loose[name] == nil { loose[name] = thing }
  }

  /// The thing that is called just so.
  func just(_ name: String) -> Thing? { exact[name] }

  subscript(name: String) -> Thing? { exact[name] ?? loose[name.canonical] }
}
