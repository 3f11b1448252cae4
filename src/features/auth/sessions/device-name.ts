/** The longest name of a device that is kept, characters. */
export const DEVICE_NAME_LIMIT = 40

// In this order: Edge, Opera and Samsung's browser also call themselves Chrome, and all of them Safari.
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

// In this order: Android also calls itself Linux, and an iPhone says «like Mac OS X».
const DEVICES: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac(intosh| OS X)\b/, 'Mac'],
  [/\b(Linux|X11)\b/, 'Linux'],
]

const findName = (list: readonly [RegExp, string][], text: string) => list.find(([sign]) => sign.test(text))?.[1]

/**
 * «Firefox en Windows»: what a person recognises of a User-Agent, and no more of it is kept. A program is called what it
 * calls itself («curl»). Null where nothing can be said.
 */
export function describeDevice(userAgent: string | null): string | null {
  const text = userAgent ?? ''
  const browser = findName(BROWSERS, text)
  const device = findName(DEVICES, text)
  if (browser && device) return `${browser} en ${device}`
  return browser ?? device ?? (/^[\w.-]+/.exec(text)?.[0].slice(0, DEVICE_NAME_LIMIT) || null)
}
