import CoreDataPredicates

/// The possible problems of the texts of a model: predicates and expressions that cannot be read.
///
/// They are separate from the other problems because they concern files. In a model that was built
/// in code the texts are printed from objects, and a predicate that is a block has none.
extension ModelSchema {
  /// Every text that is not a predicate or expression, with the parser's sentence.
  ///
  ///     Note.noteCount: cannot parse "notes.@count(": …; correct the derivation expression
  package var formatProblems: [ModelProblem] {
    entities.flatMap(\.formatProblems)
      + fetchRequestTemplates.compactMap { request in
        request.predicateFormat
          .flatMap {
            FormatCheck.predicate($0, "the predicate of fetch request \"\(request.name)\"")
          }
          .map { ModelProblem(message: $0) }
      }
  }
}

extension EntitySchema {
  fileprivate var formatProblems: [ModelProblem] {
    let ofAttributes = attributes.flatMap { attribute in
      attribute.formatMessages.map { (attribute.name, $0) }
    }
    let ofFetched = fetchedProperties.compactMap { property in
      property.request.predicateFormat
        .flatMap { FormatCheck.predicate($0, "the fetched property's predicate") }
        .map { (property.name, $0) }
    }
    return (ofAttributes + ofFetched).map {
      ModelProblem(entity: name, property: $0, message: $1)
    } + indexes.flatMap(\.formatMessages).map { ModelProblem(entity: name, message: $0) }
  }
}

extension AttributeSchema {
  fileprivate var formatMessages: [String] {
    let own = [
      derivationExpression.flatMap { FormatCheck.expression($0, "the derivation expression") },
      derivationFilterFormat.flatMap { FormatCheck.predicate($0, "the derivation's filter") },
    ]
    return own.compactMap(\.self)
      + validations.compactMap {
        FormatCheck.predicate($0.predicateFormat, "the validation predicate")
      }
      + elements.flatMap(\.formatMessages)
  }
}

extension FetchIndexSchema {
  fileprivate var formatMessages: [String] {
    let condition = partialPredicateFormat.flatMap {
      FormatCheck.predicate($0, "the predicate of fetch index \"\(name)\"")
    }
    return [condition].compactMap(\.self)
      + elements.compactMap { element in
        guard case .expression(let format) = element.subject else { return nil }
        return FormatCheck.expression(format, "the expression of fetch index \"\(name)\"")
      }
  }
}

/// The sentence about one text; `nil` if there is nothing to say.
private enum FormatCheck {
  static func predicate(_ format: String, _ subject: String) -> String? {
    do throws(PredicateFormatError) {
      _ = try PredicateFormat.predicate(format)
      return nil
    } catch {
      return "\(error); correct \(subject)"
    }
  }

  static func expression(_ format: String, _ subject: String) -> String? {
    do throws(PredicateFormatError) {
      _ = try PredicateFormat.expression(format)
      return nil
    } catch {
      return "\(error); correct \(subject)"
    }
  }
}
