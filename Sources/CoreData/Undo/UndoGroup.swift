/// The content of one undo: actions and nested groups, in the order in which they came.
struct UndoGroup {
  var entries: [Entry] = []
  var name = ""
  var isDiscardable = false

  enum Entry {
    case action(UndoAction)
    case group(UndoGroup)
  }

  /// Adds a nested group, and its name if this one does not have a name.
  mutating func add(_ group: UndoGroup) {
    if name.isEmpty { name = group.name }
    entries.append(.group(group))
  }

  /// Takes the nested group out that was closed last.
  mutating func takeLastGroup() -> UndoGroup? {
    guard case .group(let group) = entries.last else { return nil }
    entries.removeLast()
    return group
  }

  /// Runs the actions, the last first.
  func perform() {
    for entry in entries.reversed() {
      switch entry {
      case .action(let action): action.perform()
      case .group(let group): group.perform()
      }
    }
  }

  mutating func removeActions(of target: ObjectIdentifier) {
    entries = entries.compactMap { entry in
      switch entry {
      case .action(let action):
        return action.target == target ? nil : entry
      case .group(var group):
        group.removeActions(of: target)
        return group.entries.isEmpty ? nil : .group(group)
      }
    }
  }
}

/// One registered action; its target is not kept alive.
struct UndoAction {
  let target: ObjectIdentifier
  let perform: () -> Void

  init<Target: AnyObject>(_ target: Target, _ handler: @escaping (Target) -> Void) {
    self.target = ObjectIdentifier(target)
    perform = { [weak target] in
      if let target { handler(target) }
    }
  }
}

/// The groups that can be undone or redone, the next one last.
struct UndoStack {
  private var groups: [UndoGroup] = []

  var isEmpty: Bool { groups.isEmpty }

  var last: UndoGroup? { groups.last }

  mutating func push(_ group: UndoGroup) { groups.append(group) }

  mutating func pop() -> UndoGroup? { groups.popLast() }

  mutating func removeAll() { groups = [] }

  mutating func changeLast(_ body: (inout UndoGroup) -> Void) {
    if !groups.isEmpty { body(&groups[groups.count - 1]) }
  }

  /// Forgets the oldest groups beyond a number.
  mutating func trim(to count: Int) { groups.removeFirst(max(0, groups.count - count)) }

  mutating func removeActions(of target: ObjectIdentifier) {
    for index in groups.indices { groups[index].removeActions(of: target) }
    groups.removeAll { $0.entries.isEmpty }
  }
}
