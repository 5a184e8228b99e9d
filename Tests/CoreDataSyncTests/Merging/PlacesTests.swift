import CoreDataSyncCore
import Testing

struct PlacesTests {
  @Test("there is always room between two places")
  func room() {
    var chance = Chance(seed: 7)
    var places = [Places.between("", "", jitter: 5)]
    for _ in 0..<2000 {
      let index = chance.number(below: places.count + 1)
      let low = index > 0 ? places[index - 1] : ""
      let high = index < places.count ? places[index] : ""
      let new = Places.between(low, high, jitter: chance.next())
      #expect(low < new && (high.isEmpty || new < high))
      places.insert(new, at: index)
    }
    #expect(places == places.sorted())
  }

  @Test("a member that moves gets a place, and the others keep theirs")
  func move() {
    let known = ["B", "C", "A", "D"]
    let moved = Places.moved(known, jitter: 3)
    #expect(moved.count == 1)
    let after = known.indices.map { moved[$0] ?? known[$0] }
    #expect(after == after.sorted() && Set(after).count == 4)
  }

  @Test(
    "any order can be given to members with any places",
    arguments: 1...200 as ClosedRange<UInt64>
  )
  func anyOrder(seed: UInt64) {
    var chance = Chance(seed: seed)
    let known = (0..<chance.number(below: 12)).map { _ -> String? in
      chance.one(of: ["none", "", "A", "A0", "Az", "B", "z", "zz", "é", "0"]).flatMap {
        $0 == "none" ? nil : $0
      }
    }
    let moved = Places.moved(known, jitter: chance.next())
    let after = known.indices.map { moved[$0] ?? known[$0] ?? "" }
    for (one, next) in zip(after, after.dropFirst()) { #expect(one < next) }
  }
}
