/** Maximum length of a stored device name, characters. */
export const DEVICE_NAME_LIMIT = 40

// Order matters: Edge, Opera and Samsung's browser also name Chrome, and all of them name Safari.
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

// Order matters: Android also names Linux, and an iPhone says «like Mac OS X».
const DEVICES: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac(intosh| OS X)\b/, 'Mac'],
  [/\b(Linux|X11)\b/, 'Linux'],
]

const findName = (list: readonly [RegExp, string][], text: string) => list.find(([pattern]) => pattern.test(text))?.[1]

/**
 * The part of a User-Agent that a person recognises, «Firefox en Windows»; the rest is not stored. Other clients keep their
 * product name («curl»). Null where nothing is recognised.
 */
export function describeDevice(userAgent: string | null): string | null {
  const text = userAgent ?? ''
  const browser = findName(BROWSERS, text)
  const device = findName(DEVICES, text)
  if (browser && device) return `${browser} en ${device}`
  return browser ?? device ?? (/^[\w.-]+/.exec(text)?.[0].slice(0, DEVICE_NAME_LIMIT) || null)
}
