// Keys whose values are made of others:
//
//     override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
//       key == "heading" ? ["title", "folder.name"] : []
//     }
//
// An observer of `heading` hears of each change of the title and of the folder's name.

extension Observation {
  /// Observes what the value of this path's first key is made of.
  func followValues(affecting object: NSManagedObject) {
    guard let key = keys.first else { return }
    affecting = type(of: object).keyPathsForValuesAffectingValue(forKey: key).sorted().map { path in
      Observation(path, .prior) { [unowned self, unowned object] change in
        pass(change, on: object)
      }
    }
    for observation in affecting { object.addObservation(observation) }
  }

  func unfollowAffecting(_ object: NSManagedObject) {
    for observation in affecting { object.removeObservation(observation) }
    affecting = []
  }

  private func pass(_ change: ObservedChange, on object: NSManagedObject) {
    let needsValues = !options.isDisjoint(with: [.old, .new])
    let value = needsValues ? object.value(forKeyPath: keyPath) : nil
    if change.moment == .prior {
      valueBefore = value
      if options.contains(.prior) { deliver(ObservedChange(old: value, moment: .prior)) }
    } else {
      // The rest of the path may begin at another object now.
      follow(from: object)
      let old = valueBefore
      valueBefore = nil
      deliver(ObservedChange(old: old, new: value))
    }
  }
}
