// Runs before the first paint: the page is light or dark as the person chose, or as the system is.
const wanted = () => localStorage.getItem("theme") ?? "system";
const system = matchMedia("(prefers-color-scheme: dark)");

function applyTheme() {
  const isDark = wanted() === "dark" || (wanted() === "system" && system.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", isDark ? "#161514" : "#efece6");
}

system.addEventListener("change", applyTheme);
addEventListener("storage", applyTheme);
addEventListener("themechange", applyTheme);
applyTheme();
