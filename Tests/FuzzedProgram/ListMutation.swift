import CoreDataModel
import Foundation

extension Dice {
  /// A property list with a few other values somewhere in it; the list itself stays one, so that what
  /// reads its values is met.
  mutating func changed(_ list: PropertyListValue) -> PropertyListValue {
    var list = list
    for _ in 0..<(once(in: 3) ? number(2..<8) : 1) { list = changing(list, depth: 0) }
    return list
  }

  private mutating func changing(_ value: PropertyListValue, depth: Int) -> PropertyListValue {
    switch value {
    case .array(var elements) where !elements.isEmpty && !once(in: 8):
      let place = number(0..<elements.count)
      switch number(0..<12) {
      case 0: elements.remove(at: place)
      case 1: elements.append(elements[place])
      case 2: elements.swapAt(place, number(0..<elements.count))
      case _: elements[place] = changing(elements[place], depth: depth + 1)
      }
      return .array(elements)
    case .dictionary(var fields) where !fields.isEmpty && (depth == 0 || !once(in: 8)):
      let key = one(of: fields.keys.sorted())
      switch number(0..<12) {
      case 0: fields[key] = nil
      case 1: fields[one(of: fields.keys.sorted())] = fields[key]
      case 2: fields[one(of: Nasty.texts)] = fields[key]
      case _: fields[key] = fields[key].map { changing($0, depth: depth + 1) }
      }
      return .dictionary(fields)
    case .uid(let number): return .uid(once(in: 6) ? self.number(0..<100_000) : near(number))
    case .data(let data) where once(in: 2): return .data(Data(damaged([UInt8](data))))
    case .integer, .boolean: return once(in: 4) ? other : .integer(one(of: Nasty.integers))
    case .text: return once(in: 4) ? other : .text(one(of: Nasty.texts))
    case .array, .dictionary, .data, .null, .unsigned, .real, .date: return other
    }
  }

  private mutating func near(_ place: Int) -> Int { max(0, place + number(-20..<21)) }

  private var other: PropertyListValue {
    mutating get {
      switch number(0..<10) {
      case 0: .null
      case 1: .boolean(once(in: 2))
      case 2: .integer(one(of: Nasty.integers))
      case 3: .unsigned(.max)
      case 4: .real(one(of: Nasty.reals))
      case 5: .date(one(of: Nasty.reals))
      case 6: .data(Data(repeating: 7, count: number(0..<40)))
      case 7: .text(one(of: Nasty.texts))
      case 8: .uid(number(0..<60))
      case _: once(in: 2) ? .array([]) : .dictionary([:])
      }
    }
  }
}
