// Runs before the first paint: the page is light or dark as the person chose, or as the system is.
let chosen = null;
const wanted = () => chosen ?? kept() ?? "system";
const system = matchMedia("(prefers-color-scheme: dark)");

/// A browser may forbid its pages to keep anything.
function kept() {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
}

function applyTheme() {
  const isDark = wanted() === "dark" || (wanted() === "system" && system.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", isDark ? "#161514" : "#efece6");
}

system.addEventListener("change", applyTheme);
addEventListener("storage", ({ key }) => {
  // Another tab has chosen.
  if (key === "theme" || key === null) chosen = null;
  applyTheme();
});
addEventListener("themechange", ({ detail }) => {
  chosen = detail;
  applyTheme();
});
applyTheme();

/// Applies the choices that model/appearance.js keeps; an unknown value changes nothing.
function applyLook() {
  for (const name of ["font", "size", "width", "lines", "rows"]) {
    let value = null;
    try {
      value = localStorage.getItem(`look-${name}`);
    } catch {
      // The browser keeps nothing.
    }
    if (value) document.documentElement.dataset[name] = value;
    else delete document.documentElement.dataset[name];
  }
}

addEventListener("storage", ({ key }) => (key === null || key.startsWith("look-")) && applyLook());
applyLook();
