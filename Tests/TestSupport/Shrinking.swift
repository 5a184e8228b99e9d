/// Leaves out what a failure does not need: the fewest turns found that still fail, in their order.
///
/// First halves, then smaller and smaller parts, then single turns, until none can go. Each try costs
/// one run.
public func fewest<Turn>(of turns: [Turn], thatFail: ([Turn]) throws -> Bool) rethrows -> [Turn] {
  var needed = turns
  var size = max(needed.count / 2, 1)
  while true {
    var place = 0
    let before = needed.count
    while place < needed.count {
      let fewer = Array(needed[..<place] + needed[min(place + size, needed.count)...])
      if try thatFail(fewer) { needed = fewer } else { place += size }
    }
    if size == 1 && needed.count == before { return needed }
    size = max(size / 2, 1)
  }
}
