import { MAGIC_LINK_MINUTES } from './auth.ts'

export interface MailContent {
  subject: string
  text: string
  html: string
}

/** The mail that carries link and code. In the text part the code stands alone on a line, for eyes and autofill. */
export function signInMail({ link, code }: { link: string; code: string }): MailContent {
  const text = `¡Hola!

Con este enlace entras en Perrario, el álbum de los perros:

${link}

¿Tienes Perrario instalado o lo abriste en otro aparato? Escribe allí este código:

${code}

El enlace y el código valen ${MAGIC_LINK_MINUTES} minutos y sirven una sola vez.

Si no has pedido entrar, no hagas nada: sin ellos nadie entra en tu cuenta.

Hasta ahora,
Perrario
`
  const html = `<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Entra en Perrario</title>
</head>
<body style="margin:0;padding:24px 12px;background:#fbf6ec;color:#33261d;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:440px;margin:0 auto;padding:32px 28px;background:#fffdf9;border:1px solid #e6dac6;border-radius:20px">
<p style="margin:0 0 20px;font-size:24px;font-weight:800">Perrario <span style="color:#c8321a">●</span></p>
<p style="margin:0 0 20px">¡Hola! Con este botón entras en el álbum de los perros:</p>
<p style="margin:0 0 24px"><a href="${escape(link)}"
style="display:inline-block;padding:13px 24px;background:#c8321a;color:#ffffff;border-radius:14px;font-weight:700;text-decoration:none">Entrar en Perrario</a></p>
<p style="margin:0 0 8px">¿Tienes Perrario instalado o lo abriste en otro aparato? Escribe allí este código:</p>
<p style="margin:0 0 24px;font-size:30px;font-weight:800;letter-spacing:6px">${code}</p>
<p style="margin:0 0 12px;color:#665547;font-size:14px">El enlace y el código valen ${MAGIC_LINK_MINUTES} minutos y sirven una sola vez.</p>
<p style="margin:0 0 12px;color:#665547;font-size:14px">Si no has pedido entrar, no hagas nada: sin ellos nadie entra en tu cuenta.</p>
<p style="margin:0;color:#665547;font-size:14px;overflow-wrap:anywhere">Si el botón no funciona, copia esta dirección:<br>${escape(link)}</p>
</div>
</body>
</html>
`
  return { subject: 'Tu enlace para entrar en Perrario', text, html }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (c) => ENTITIES[c]!)
