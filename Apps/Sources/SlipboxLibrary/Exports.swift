// Documents are JSON, so code that writes one in Swift has its values at hand.
@_exported public import CoreDataStrictJSON
