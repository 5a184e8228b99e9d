extension NSMergePolicyType {
  package var rule: MergeRule {
    switch self {
    case .errorMergePolicyType:
      MergeRule(changes: .stay, overwrites: false, insists: false, newcomer: .refused)
    case .mergeByPropertyStoreTrumpMergePolicyType:
      MergeRule(
        changes: .stayWhereRowHasNone,
        overwrites: false,
        insists: false,
        newcomer: .joins
      )
    case .mergeByPropertyObjectTrumpMergePolicyType:
      MergeRule(changes: .stay, overwrites: false, insists: true, newcomer: .writesChanges)
    case .overwriteMergePolicyType:
      MergeRule(changes: .stay, overwrites: true, insists: true, newcomer: .writesAll)
    case .rollbackMergePolicyType:
      MergeRule(changes: .givenUp, overwrites: false, insists: false, newcomer: .givenUp)
    }
  }
}
