import { UNDO_DAYS } from '#features/auth/auth.ts'

export const EMAIL_CHANGE_TEXTS = {
  sent: 'Te hemos enviado un código. Escríbelo aquí para confirmar la dirección.',
  same: 'Ese ya es tu email.',
  /** The address belonged to another account, which may still take it back. */
  reserved: `Esta dirección era de otra cuenta hace menos de ${UNDO_DAYS} días. Abre el enlace del mensaje que recibió para recuperarla, o espera a que pasen.`,
  none: 'No hay ninguna dirección por confirmar. Escribe primero tu nuevo email.',
  taken: 'Esta dirección ya es de otra cuenta. Usa otra.',
  added: 'Listo: desde ahora también entras con este email.',
  changed: 'Listo: desde ahora entras con el email nuevo. A la dirección anterior le hemos enviado un aviso.',
} as const
