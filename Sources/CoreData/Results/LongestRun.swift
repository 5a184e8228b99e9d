extension Array {
  /// The places of as many elements as possible that are in order among themselves.
  ///
  /// ```
  /// [3, 1, 2].longestRun(<)   // [1, 2], the places of 1 and 2
  /// ```
  ///
  /// Equal elements are in order. n log n comparisons.
  func longestRun(_ precedes: (Element, Element) -> Bool) -> [Int] {
    // The place where the best run of each length ends, and the one before each place.
    var ends: [Int] = []
    var before: [Int?] = []
    for place in indices {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if precedes(self[place], self[ends[middle]]) { high = middle } else { low = middle + 1 }
      }
      before.append(low > 0 ? ends[low - 1] : nil)
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var run: [Int] = []
    var place = ends.last
    while let current = place {
      run.append(current)
      place = before[current]
    }
    return run.reversed()
  }
}
