import type { Operator } from '#lib/operator.ts'

/** The paragraph of a legal text that says who answers for the site and how to reach them. The build's files have that of no operator. */
export function contactText(id: 'terminos' | 'privacidad', { name, email, address }: Operator = {}): string {
  const who = [name ?? 'quien administra este sitio', ...(address ? [address] : [])].join(', ')
  const how = email ? `escribe a ${email}` : 'responde al correo con el que recibiste tu enlace de entrada'
  return id === 'privacidad'
    ? `El responsable de tus datos es ${who}. Para cualquier pregunta, o para ejercer tus derechos, ${how}.`
    : `Este sitio lo mantiene ${who}. Si tienes dudas sobre estos términos, ${how}.`
}

/** Both paragraphs of no operator, and those in their place; none where no setting is given. */
export const contactTexts = (operator: Operator): [from: string, to: string][] =>
  (['terminos', 'privacidad'] as const)
    .map((id): [string, string] => [contactText(id), contactText(id, operator)])
    .filter(([from, to]) => from !== to)
