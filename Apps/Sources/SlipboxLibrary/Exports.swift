// Documents are JSON, so whoever writes one in Swift has its values at hand.
@_exported public import StrictJSON
