// Tabs that are side by side: each names the other in `beside`. They are neighbours in the bar, the one on the left first.

export const partnerIn = (all, tab) => (tab.beside ? all.find(({ key }) => key === tab.beside) ?? null : null);

/// Puts two tabs side by side; those that were beside them before are alone.
export function pair(all, tab, other) {
  for (const one of [tab, other]) part(all, one);
  tab.beside = other.key;
  other.beside = tab.key;
}

export function part(all, tab) {
  const partner = partnerIn(all, tab);
  if (partner) partner.beside = undefined;
  tab.beside = undefined;
}

/// The tabs with each pair next to each other.
export function withPairsTogether(all) {
  const placed = new Set();
  for (const tab of all) {
    placed.add(tab);
    const partner = partnerIn(all, tab);
    if (partner) placed.add(partner);
  }
  return [...placed];
}

/// Takes back what is no pair in tabs that were kept.
export function mendPairs(all) {
  for (const tab of all) {
    const partner = partnerIn(all, tab);
    if (!partner || partner === tab || partner.beside !== tab.key) tab.beside = undefined;
  }
  return withPairsTogether(all);
}
