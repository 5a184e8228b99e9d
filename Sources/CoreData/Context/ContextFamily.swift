import Synchronization

/// The two names of objects that a context and its descendants share.
///
/// An object that was never stored has a temporary key. Once the root has stored it, or somebody has
/// obtained its permanent key, descendants may still ask for it by the old one:
///
/// ```
/// root    note: t7 ─▶ 42        names: t7 is 42
/// child   note: t7              asks its parent for t7, and gets 42
/// ```
///
/// The root only knows its family, and the descendants keep it: names live as long as anything that could ask for
/// them.
final class ContextFamily: Sendable {
  private let state = Mutex(Names())
  /// How many objects have got other names so far.
  private let count = Atomic<Int>(0)

  private struct Names {
    /// The permanent keys, by temporary number.
    var permanent: [Int64: ObjectKey] = [:]
    var temporary: [ObjectKey: Int64] = [:]
    var renamings: [Renaming] = []
  }

  /// An object that has got its permanent key.
  struct Renaming: Sendable {
    let former: ObjectKey
    let key: ObjectKey
  }

  var renamingCount: Int { count.load(ordering: .acquiring) }

  func note(_ former: ObjectKey, isNow key: ObjectKey) {
    state.withLock { state in
      state.permanent[former.number] = key
      state.temporary[key] = former.number
      state.renamings.append(Renaming(former: former, key: key))
      count.store(state.renamings.count, ordering: .releasing)
    }
  }

  func renamings(since seen: Int) -> [Renaming] {
    state.withLock { Array($0.renamings[seen...]) }
  }

  /// The name that an object has now.
  func current(_ key: ObjectKey) -> ObjectKey {
    guard key.isTemporary else { return key }
    return state.withLock { $0.permanent[key.number] ?? key }
  }

  /// A temporary number for an object that has a permanent key; the one it had, or a new one.
  func temporaryNumber(of key: ObjectKey) -> Int64 {
    state.withLock { state in
      if let known = state.temporary[key] { return known }
      let number = TemporaryNumber.next()
      state.temporary[key] = number
      state.permanent[number] = key
      return number
    }
  }
}

/// A family as its root knows it, without keeping it.
struct FoundedFamily {
  private weak var family: ContextFamily?

  var living: ContextFamily? { family }

  /// The family, founded when the first child comes.
  mutating func found() -> ContextFamily {
    if let family { return family }
    let new = ContextFamily()
    family = new
    return new
  }
}
