/// One order for the members of a relationship that two sides have put in order.
///
/// ```
/// members here     a  x  b  c      x has come here
/// their order      c  a  b
/// merged           c  a  x  b
/// ```
///
/// Theirs wins; members that only this side has stay behind the one they stood behind.
enum MergedOrder {
  static func merge<Member: Hashable>(_ order: [Member], into members: [Member]) -> [Member] {
    let present = Set(members)
    let order = order.filter(present.contains)
    let ordered = Set(order)
    var first: [Member] = []
    var followers: [Member: [Member]] = [:]
    var leader: Member?
    for member in members {
      if ordered.contains(member) {
        leader = member
      } else if let leader {
        followers[leader, default: []].append(member)
      } else {
        first.append(member)
      }
    }
    return order.reduce(into: first) { result, member in
      result.append(member)
      if let following = followers[member] { result += following }
    }
  }
}
