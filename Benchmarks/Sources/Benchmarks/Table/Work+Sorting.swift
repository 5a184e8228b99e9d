import CoreData

// Pages of 50 in order: the first rows of a list.

extension Work {
  static var sorting: [Work] {
    [
      Work(name: "page", title: "1,000 × sorted page of 50, indexed", bar: 2, published: "3.5") {
        try page(&$0, NSSortDescriptor(key: "date", ascending: false), "ZDATE DESC", times: 1000)
      },
      Work(
        name: "page-nocase",
        title: "sorted page of 50, caseInsensitiveCompare: beside NOCASE",
        bar: 1.5,
        published: "19"
      ) {
        let selector = Selector("caseInsensitiveCompare:")
        let order = NSSortDescriptor(key: "title", ascending: true, selector: selector)
        try page(&$0, order, "ZTITLE COLLATE NOCASE", times: 1)
      },
      Work(
        name: "page-localized",
        title: "sorted page of 50, localizedStandardCompare: beside NOCASE",
        bar: 1.5
      ) {
        let selector = Selector("localizedStandardCompare:")
        let order = NSSortDescriptor(key: "title", ascending: true, selector: selector)
        try page(&$0, order, "ZTITLE COLLATE NOCASE", times: 1)
      },
    ]
  }

  private static func page(
    _ round: inout Round,
    _ order: NSSortDescriptor,
    _ sql: String,
    times: Int
  ) throws {
    let plain = PlainTables(path: round.stand.filled.path)
    let context = try round.stand.context(at: round.stand.filled)
    warm(context)
    let request = all
    request.sortDescriptors = [order]
    request.fetchLimit = 50
    round.plain { for _ in 0..<times { keep(plain.entries("ORDER BY \(sql) LIMIT 50")) } }
    try round.ours { for _ in 0..<times { keep(try context.fetch(request)) } }
  }
}
