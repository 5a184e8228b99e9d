// A recording of the microphone: its time, how loud it is, and what came of it, also if it breaks off.

import { say } from "../view/say.js";

/// In milliseconds: at 64 kbit/s this is less than the largest file that Slipbox keeps.
const LONGEST = 2 * 3_600_000;
const KINDS = ["audio/webm;codecs=opus", "audio/mp4", "audio/ogg;codecs=opus"];

/// Begins to record. `ended(file)` is called once, with null if nothing was recorded. Throws an error with a sentence.
export async function record(ended) {
  const stream = await microphone();
  const mimeType = KINDS.find((kind) => MediaRecorder.isTypeSupported(kind));
  const recorder = new MediaRecorder(stream, { ...(mimeType ? { mimeType } : {}), audioBitsPerSecond: 64_000 });
  const pieces = [];
  const meter = meterOf(stream);
  const begun = performance.now();
  const stop = () => recorder.state !== "inactive" && recorder.stop();
  const timer = setTimeout(stop, LONGEST);
  recorder.ondataavailable = ({ data }) => data.size > 0 && pieces.push(data);
  recorder.onstop = () => {
    clearTimeout(timer);
    meter.end();
    for (const track of stream.getTracks()) track.stop();
    ended(pieces.length > 0 ? fileOf(pieces, recorder.mimeType) : null);
  };
  // A microphone that is pulled out ends the recording; what came before is there, because it comes in pieces.
  for (const track of stream.getTracks()) track.addEventListener("ended", stop);
  recorder.start(1_000);
  return { stop, seconds: () => Math.floor((performance.now() - begun) / 1_000), loudness: meter.loudness };
}

async function microphone() {
  if (!navigator.mediaDevices?.getUserMedia || typeof MediaRecorder === "undefined") {
    throw new Error(isSecureContext ? say`This browser cannot record.` : say`Browsers record only from addresses that begin with https://, and on this machine itself. Open Slipbox at such an address.`);
  }
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch (error) {
    throw new Error(sentenceOf(error));
  }
}

function sentenceOf({ name, message }) {
  if (name === "NotAllowedError" || name === "SecurityError") return say`The browser does not let Slipbox use the microphone. Allow it in the browser’s settings for this site, then record again.`;
  if (name === "NotFoundError") return say`There is no microphone. Connect one, then record again.`;
  if (name === "NotReadableError") return say`The microphone cannot be used now; another program may have it. Close that program, then record again.`;
  return say`The microphone cannot be used: ${message}`;
}

function fileOf(pieces, mimeType) {
  const type = mimeType.split(";")[0] || "audio/webm";
  const ending = { "audio/mp4": "m4a", "audio/ogg": "ogg" }[type] ?? "webm";
  const now = new Date();
  const time = `${now.toLocaleDateString("sv")} ${now.toLocaleTimeString("sv").slice(0, 5).replace(":", ".")}`;
  return new File(pieces, `Memo ${time}.${ending}`, { type });
}

/// How loud it is now, from 0 to 1.
function meterOf(stream) {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 512;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    loudness() {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      return Math.min(1, 4 * Math.sqrt(power));
    },
    end: () => void context.close(),
  };
}
