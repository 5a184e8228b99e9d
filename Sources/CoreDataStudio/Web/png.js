// The model's picture as PNG.

import { h, toast } from "/look/page.js";

const mostPixels = 8_000;

/** Paints the picture as the file has it, at twice its size, and hands it over as PNG. */
export async function savePNG(text) {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    const scale = Math.min(2, mostPixels / Math.max(picture.naturalWidth, picture.naturalHeight, 1));
    const canvas = h("canvas", { width: String(Math.max(1, Math.round(picture.naturalWidth * scale))), height: String(Math.max(1, Math.round(picture.naturalHeight * scale))) });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    const file = await new Promise((done) => canvas.toBlob(done, "image/png"));
    if (!file) throw new Error("The browser cannot make a picture of this size.");
    const link = h("a", { href: URL.createObjectURL(file), download: "Model.png" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  } catch (problem) {
    toast(problem.message || "The browser cannot paint the picture.");
  } finally {
    URL.revokeObjectURL(address);
  }
}
