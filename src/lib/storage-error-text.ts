import { errorCode } from './error-code.ts'

const ERROR_TEXTS: Record<string, string> = {
  ENOSPC: 'no queda sitio en el disco',
  EDQUOT: 'se ha agotado la cuota de disco',
  EFBIG: 'el sistema no deja crecer más los archivos',
  EROFS: 'el disco es de solo lectura',
  EACCES: 'falta permiso',
  EPERM: 'falta permiso',
  EIO: 'el disco no responde bien',
  SQLITE_CANTOPEN: 'no se puede abrir',
  SQLITE_PERM: 'falta permiso',
  SQLITE_FULL: 'no queda sitio en el disco',
  SQLITE_READONLY: 'el disco es de solo lectura',
  // SQLite reports some writes on a full disk this way.
  SQLITE_IOERR: 'el disco está lleno o no responde bien',
  SQLITE_CORRUPT: 'la base de datos está dañada',
  SQLITE_NOTADB: 'el archivo no es una base de datos',
  '53100': 'PostgreSQL no tiene sitio en su disco',
  '25006': 'PostgreSQL es de solo lectura',
  SQLITE_BUSY: 'la base de datos está ocupada',
}

/** Why a file or database operation failed, for the operator: in Spanish for known codes, else the error's message. */
export function storageErrorText(error: unknown): string {
  const code = errorCode(error)
  const text = ERROR_TEXTS[code] ?? ERROR_TEXTS[code.split('_').slice(0, 2).join('_')]
  return text ? `${text} (${code})` : error instanceof Error ? error.message : String(error)
}
