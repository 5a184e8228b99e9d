/// The signs of the commands in formulas.
enum TeXSymbols {
  /// The element of a command that is one sign or one name; `nil` for others.
  static func element(of name: String) -> String? {
    if let letter = letters[name] {
      // Capital Greek letters are upright, the small ones are not.
      let isUpright = name.first?.isUppercase == true || name == "infty"
      return isUpright ? "<mi mathvariant=\"normal\">\(letter)</mi>" : "<mi>\(letter)</mi>"
    }
    if let sign = operators[name] { return "<mo>\(HTML.escaped(sign))</mo>" }
    if let sign = delimiters[name] { return "<mo stretchy=\"false\">\(HTML.escaped(sign))</mo>" }
    if let sign = large[name] {
      return "<mo movablelimits=\"\(!name.hasSuffix("int"))\">\(sign)</mo>"
    }
    if functions.contains(name) { return "<mo lspace=\"0\" rspace=\"0.17em\">\(name)</mo>" }
    if let words = limits[name] {
      return "<mo movablelimits=\"true\" lspace=\"0\" rspace=\"0.17em\">\(words)</mo>"
    }
    return nil
  }

  /// The sign of a command, without its element.
  static func sign(of name: String) -> String? { operators[name] ?? letters[name] }

  /// Whether scripts of what begins with a token are above and below it.
  static func hasLimits(_ token: TeXToken) -> Bool {
    guard case .command(let name) = token else { return false }
    return limits[name] != nil || (large[name] != nil && !name.hasSuffix("int"))
      || ["overbrace", "underbrace"].contains(name)
  }

  struct Accent {
    var sign: String
    var isWide = false
    var isBelow = false
  }

  static let accents: [String: Accent] = [
    "hat": Accent(sign: "^"), "check": Accent(sign: "ˇ"), "tilde": Accent(sign: "~"),
    "acute": Accent(sign: "´"),
    "grave": Accent(sign: "`"), "dot": Accent(sign: "˙"), "ddot": Accent(sign: "¨"),
    "breve": Accent(sign: "˘"),
    "bar": Accent(sign: "¯"), "vec": Accent(sign: "→"), "widehat": Accent(sign: "^", isWide: true),
    "widetilde": Accent(sign: "~", isWide: true), "overline": Accent(sign: "¯", isWide: true),
    "overrightarrow": Accent(sign: "→", isWide: true),
    "overleftarrow": Accent(sign: "←", isWide: true),
    "overbrace": Accent(sign: "⏞", isWide: true),
    "underline": Accent(sign: "_", isWide: true, isBelow: true),
    "underbrace": Accent(sign: "⏟", isWide: true, isBelow: true),
  ]

  static let spaces = [
    ",": "0.17", ":": "0.22", ">": "0.22", ";": "0.28", "!": "-0.17", " ": "0.33", "quad": "1",
    "qquad": "2",
    "enspace": "0.5", "thinspace": "0.17",
  ]

  static let delimiters = table(
    """
    { { } } lbrace { rbrace } langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ vert | lvert | rvert | | ‖ Vert ‖ \
    lVert ‖ rVert ‖ lbrack [ rbrack ] uparrow ↑ downarrow ↓ backslash ∖
    """
  )

  /// The brackets around tables.
  static let frames = [
    "matrix": ("", ""), "pmatrix": ("(", ")"), "bmatrix": ("[", "]"), "Bmatrix": ("{", "}"),
    "vmatrix": ("|", "|"),
    "Vmatrix": ("‖", "‖"), "cases": ("{", ""), "rcases": ("", "}"),
  ]

  private static let letters = table(
    """
    alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ lambda λ mu μ \
    nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ \
    omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω infty ∞ hbar ℏ ell ℓ \
    Re ℜ Im ℑ wp ℘ aleph ℵ beth ℶ imath ı jmath ȷ partial ∂ nabla ∇ emptyset ∅ varnothing ∅ degree ° R ℝ N ℕ Z ℤ Q ℚ
    """
  )

  private static let operators = table(
    """
    pm ± mp ∓ times × div ÷ cdot ⋅ ast ∗ star ⋆ circ ∘ bullet ∙ oplus ⊕ ominus ⊖ otimes ⊗ oslash ⊘ odot ⊙ dagger † \
    ddagger ‡ cap ∩ cup ∪ uplus ⊎ sqcap ⊓ sqcup ⊔ vee ∨ lor ∨ wedge ∧ land ∧ setminus ∖ wr ≀ amalg ⨿ \
    leq ≤ le ≤ geq ≥ ge ≥ leqslant ⩽ geqslant ⩾ neq ≠ ne ≠ equiv ≡ approx ≈ sim ∼ simeq ≃ cong ≅ propto ∝ ll ≪ gg ≫ \
    lt < gt > prec ≺ succ ≻ preceq ⪯ succeq ⪰ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ subsetneq ⊊ in ∈ ni ∋ notin ∉ \
    mid ∣ nmid ∤ parallel ∥ perp ⊥ models ⊨ vdash ⊢ dashv ⊣ asymp ≍ doteq ≐ triangleq ≜ coloneqq ≔ \
    to → rightarrow → leftarrow ← gets ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ iff ⟺ implies ⟹ \
    impliedby ⟸ mapsto ↦ longrightarrow ⟶ longleftarrow ⟵ Longrightarrow ⟹ hookrightarrow ↪ rightharpoonup ⇀ \
    rightleftharpoons ⇌ nearrow ↗ searrow ↘ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ top ⊤ bot ⊥ therefore ∴ because ∵ \
    ldots … dots … cdots ⋯ vdots ⋮ ddots ⋱ colon : angle ∠ triangle △ square □ blacksquare ■ prime ′ % % $ $ & & # # _ _ \
    checkmark ✓ S § P ¶ surd √
    """
  )

  /// Operators that are larger in large formulas.
  private static let large = table(
    """
    sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ bigcup ⋃ bigcap ⋂ bigvee ⋁ bigwedge ⋀ bigoplus ⨁ bigotimes ⨂ \
    bigodot ⨀ bigsqcup ⨆ biguplus ⨄
    """
  )

  private static let functions: Set<String> = [
    "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh",
    "coth", "log", "ln",
    "lg", "exp", "dim", "ker", "deg", "hom", "arg",
  ]

  /// Names with what they are about below them.
  private static let limits = [
    "lim": "lim", "limsup": "lim sup", "liminf": "lim inf", "max": "max", "min": "min",
    "sup": "sup", "inf": "inf",
    "det": "det", "gcd": "gcd", "Pr": "Pr", "argmax": "arg max", "argmin": "arg min",
  ]

  /// Pairs of a name and its sign, with blanks between them.
  private static func table(_ pairs: String) -> [String: String] {
    let words = pairs.split(separator: " ").map(String.init)
    let names = stride(from: 0, to: words.count - 1, by: 2)
    return Dictionary(
      names.map { (words[$0], words[$0 + 1]) },
      uniquingKeysWith: { first, _ in first }
    )
  }
}

/// Letters of other shapes, as `\mathbb{R}` has them.
enum TeXLetters: String {
  case roman = "mathrm"
  case bold = "mathbf"
  case italic = "mathit"
  case boldSymbol = "boldsymbol"
  case doubleStruck = "mathbb"
  case calligraphic = "mathcal"
  case script = "mathscr"
  case fraktur = "mathfrak"
  case sansSerif = "mathsf"
  case typewriter = "mathtt"

  /// The letter in this shape, or as it is if Unicode does not have it.
  func letter(_ sign: Unicode.Scalar) -> Unicode.Scalar {
    if let exception = exceptions[sign] { return exception }
    switch sign {
    case "A"..."Z": return shifted(sign, from: "A", to: capitals)
    case "a"..."z": return shifted(sign, from: "a", to: capitals.map { $0 + 26 })
    case "0"..."9": return shifted(sign, from: "0", to: digits)
    default: return sign
    }
  }

  private func shifted(
    _ sign: Unicode.Scalar,
    from first: Unicode.Scalar,
    to start: UInt32?
  ) -> Unicode.Scalar {
    start.flatMap { Unicode.Scalar($0 + sign.value - first.value) } ?? sign
  }

  private var capitals: UInt32? {
    switch self {
    case .roman, .italic: nil
    case .bold: 0x1D400
    case .boldSymbol: 0x1D468
    case .doubleStruck: 0x1D538
    case .calligraphic, .script: 0x1D49C
    case .fraktur: 0x1D504
    case .sansSerif: 0x1D5A0
    case .typewriter: 0x1D670
    }
  }

  private var digits: UInt32? {
    switch self {
    case .bold, .boldSymbol: 0x1D7CE
    case .doubleStruck: 0x1D7D8
    case .sansSerif: 0x1D7E2
    case .typewriter: 0x1D7F6
    case .roman, .italic, .calligraphic, .script, .fraktur: nil
    }
  }

  /// Letters that Unicode had before all the others.
  private var exceptions: [Unicode.Scalar: Unicode.Scalar] {
    switch self {
    case .doubleStruck: ["C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ"]
    case .calligraphic, .script:
      [
        "B": "ℬ", "E": "ℰ", "F": "ℱ", "H": "ℋ", "I": "ℐ", "L": "ℒ", "M": "ℳ", "R": "ℛ", "e": "ℯ",
        "g": "ℊ", "o": "ℴ",
      ]
    case .fraktur: ["C": "ℭ", "H": "ℌ", "I": "ℑ", "R": "ℜ", "Z": "ℨ"]
    case .roman, .bold, .italic, .boldSymbol, .sansSerif, .typewriter: [:]
    }
  }
}
