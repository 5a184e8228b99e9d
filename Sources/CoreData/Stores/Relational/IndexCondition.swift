/// The predicate of a partial index as a condition in SQL.
///
///     stars > 3 AND text != nil        (ZSTARS > 3 AND ZTEXT IS NOT NULL)
///
/// Only what a partial index can be of: own columns compared with constants, and `AND`, `OR`,
/// `NOT` of such comparisons.
enum IndexCondition {
  /// Nil when the predicate asks for more.
  static func sql(_ format: String, for entity: EntityMap) -> String? {
    guard let tokens = tokens(of: format) else { return nil }
    var reader = Reader(tokens: tokens[...], entity: entity)
    guard let condition = reader.alternatives(), reader.tokens.isEmpty else { return nil }
    return condition
  }

  /// A word, a quoted text with its quotes, a number, or a run of operator signs.
  private static func tokens(of format: String) -> [String]? {
    var tokens: [String] = []
    var rest = format[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest = rest.dropFirst()
      } else if first == "(" || first == ")" {
        tokens.append(String(rest.removeFirst()))
      } else if first == "\"" || first == "'" {
        guard let end = rest.dropFirst().firstIndex(of: first) else { return nil }
        tokens.append("\"" + rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[rest.index(after: end)...]
      } else {
        let isOperator = "=!<>&|".contains(first)
        let token = rest.prefix {
          isOperator
            ? "=!<>&|".contains($0) : !$0.isWhitespace && !"()=!<>&|\"'".contains($0)
        }
        tokens.append(String(token))
        rest = rest.dropFirst(token.count)
      }
    }
    return tokens
  }

  private struct Reader {
    var tokens: ArraySlice<String>
    let entity: EntityMap

    mutating func alternatives() -> String? {
      list(separatedBy: ["OR", "||"], word: "OR") { $0.conjunction() }
    }

    private mutating func conjunction() -> String? {
      list(separatedBy: ["AND", "&&"], word: "AND") { $0.single() }
    }

    private mutating func list(
      separatedBy separators: Set<String>,
      word: String,
      element: (inout Reader) -> String?
    ) -> String? {
      guard let first = element(&self) else { return nil }
      var parts = [first]
      while let next = tokens.first, separators.contains(next.uppercased()) {
        tokens.removeFirst()
        guard let part = element(&self) else { return nil }
        parts.append(part)
      }
      return parts.count == 1 ? first : "(" + parts.joined(separator: " \(word) ") + ")"
    }

    private mutating func single() -> String? {
      guard let first = tokens.popFirst() else { return nil }
      if first == "(" {
        let inner = alternatives()
        return tokens.popFirst() == ")" ? inner : nil
      }
      if first.uppercased() == "NOT" || first == "!" {
        return single().map { "NOT (\($0))" }
      }
      guard
        let column = first == "SELF" ? nil : entity.column(of: first),
        let sign = tokens.popFirst(),
        let constant = tokens.popFirst()
      else { return nil }
      return comparison(column, sign, constant)
    }

    private func comparison(_ column: String, _ sign: String, _ constant: String) -> String? {
      let signs = [
        "=": "=", "==": "=", "!=": "<>", "<>": "<>", "<": "<", ">": ">", "<=": "<=", "=<": "<=",
        ">=": ">=", "=>": ">=",
      ]
      guard let sign = signs[sign] else { return nil }
      switch constant.uppercased() {
      case "NIL", "NULL":
        switch sign {
        case "=": return "\(column) IS NULL"
        case "<>": return "\(column) IS NOT NULL"
        default: return nil
        }
      case "YES", "TRUE": return "\(column) \(sign) 1"
      case "NO", "FALSE": return "\(column) \(sign) 0"
      default: return literal(constant).map { "\(column) \(sign) \($0)" }
      }
    }

    private func literal(_ constant: String) -> String? {
      if constant.hasPrefix("\"") {
        let text = constant.dropFirst().split(separator: "'", omittingEmptySubsequences: false)
        return "'" + text.joined(separator: "''") + "'"
      }
      return Double(constant)?.isFinite == true ? constant : nil
    }
  }
}
