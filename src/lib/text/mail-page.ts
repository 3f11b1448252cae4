import { paths } from '../paths.ts'
import { escapeHtml } from './html.ts'

/** A red button in HTML that mail programs render. */
export const mailButton = (href: string, text: string): string =>
  `<a href="${escapeHtml(href)}"
style="display:inline-block;padding:13px 24px;background:#c8321a;color:#ffffff;border-radius:14px;font-weight:700;text-decoration:none">${text}</a>`

/**
 * The headers by which mail programs unsubscribe with one click (RFC 8058, which requires https).
 * @param site the public origin
 * @param token of the mail's last link, whose page has a button that does the same
 */
export const unsubscribeHeaders = (site: string, token: string): Record<string, string> => ({
  'List-Unsubscribe': `<${site}${paths.api.unsubscribe(token)}>`,
  ...(site.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
})

/** The HTML of every mail: a card under the site's name. Styles are inline, since mail programs ignore others. */
export const mailPage = (title: string, body: string): string => `<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
</head>
<body style="margin:0;padding:24px 12px;background:#fbf6ec;color:#33261d;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:440px;margin:0 auto;padding:32px 28px;background:#fffdf9;border:1px solid #e6dac6;border-radius:20px">
<p style="margin:0 0 20px;font-size:24px;font-weight:800">Perrario <span style="color:#c8321a">●</span></p>
${body}
</div>
</body>
</html>
`
