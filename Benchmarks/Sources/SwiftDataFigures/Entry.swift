import SwiftData

/// The model whose managed twin is `Item`.
@Model final class Entry {
  var title: String
  var text: String?
  var number: Int
  var stars: Int = 0
  var rating: Double = 0
  var isDone: Bool = false
  var created: Date = Date(timeIntervalSinceReferenceDate: 0)

  init(title: String, number: Int) {
    self.title = title
    self.number = number
  }
}
