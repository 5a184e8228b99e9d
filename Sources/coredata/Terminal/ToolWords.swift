/// What the framework advises programmers to do, as somebody does it who has the tool.
private let wordsOfTheTool = [
  (
    "open it with the application's model, or with "
      + "NSManagedObjectModel(contentsOfStoreAt:from: .tables), which reads the tables.",
    "give the application's model with --model; --without-model, where a command has it, reads the "
      + "tables alone."
  ),
  (
    "Open it with the application's model, or with "
      + "NSManagedObjectModel(contentsOfStoreAt:from: .tables), which reads the tables.",
    "Give the application's model with --model; --without-model, where a command has it, reads the "
      + "tables alone."
  ),
  (
    "they can be read with NSReadOnlyPersistentStoreOption and "
      + "NSIgnorePersistentStoreVersioningOption together.",
    "coredata dump --without-model reads them."
  ),
  (
    " The changes are still in the context; mend the cause and save again.", " Nothing was changed."
  ),
  (" Mend each of the errors under NSDetailedErrorsKey.", ""),
  ("; NSPersistentStoreTimeoutOption says how long to wait", ""),
  ("or give the search more time.", "or give the search more time with --time-limit."),
  ("give it one with withSubstitutionVariables(_:)", "write a value in its place"),
]

extension String {
  var inWordsOfTheTool: String {
    wordsOfTheTool.reduce(self) { $0.replacing($1.0, with: $1.1) }
  }
}
