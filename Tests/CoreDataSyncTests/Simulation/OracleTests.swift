import Testing

@testable import SyncSimulation

/// Tests of the simulation's judgement about pairs that people have made and taken apart.
struct OracleTests {
  private let link = Oracle.Link(kind: .tag, owner: "n1", member: "green")
  private var oracle = Oracle()

  init() {
    // Two people tag a note, and one of them takes away the tag that she added.
    oracle.note(linked: link, by: "t1")
    oracle.note(linked: link, by: "t2")
    oracle.note(unlinked: ["t2"], by: "t3")
  }

  @Test("a tag was to be gone whose deed alone had been read by the one who took his own away")
  func halfRead() {
    var oracle = oracle
    oracle.note(halfRead: ["t1"])
    #expect(oracle.objection(to: [note(tags: [link])]) == nil)
    #expect(oracle.objection(to: [note(tags: [])]) == nil)
  }

  @Test("a tag of which the one who took his own away had not read stands")
  func unread() {
    #expect(oracle.objection(to: [note(tags: [link])]) == nil)
    let objection = oracle.objection(to: [note(tags: [])])
    #expect(objection == "n1 has lost the tag green, which it got with t1.")
  }

  @Test("a tag that was taken away by one who had read all of it is gone")
  func read() {
    var oracle = oracle
    oracle.note(unlinked: ["t1"], by: "t3")
    #expect(oracle.objection(to: [note(tags: [])]) == nil)
    let objection = oracle.objection(to: [note(tags: [link])])
    #expect(objection == "n1 has the tag green again, although it was taken away.")
  }

  private func note(tags: Set<Oracle.Link>) -> GraphObject {
    GraphObject(
      line: "Note n1",
      identity: nil,
      key: "n1",
      texts: [:],
      values: [:],
      ends: [:],
      links: tags,
      label: nil
    )
  }
}
