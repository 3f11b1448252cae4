import { join } from 'node:path'
import ts from 'typescript'
import { root } from '#tests/support/sources.ts'

/**
 * A column's type affinity in SQLite (integers and reals are both `number`), whether it may be null, and whether an insert may
 * leave out one that may not. `undefined`: a rowid, which SQLite chooses where an insert does not.
 */
export interface ColumnShape {
  affinity: string
  isNullable: boolean
  hasDefault: boolean | undefined
}
/** By `table.column`. */
export type TableShapes = Record<string, ColumnShape>

const AFFINITIES: readonly (readonly [ts.TypeFlags, string])[] = [
  [ts.TypeFlags.StringLike, 'TEXT'],
  [ts.TypeFlags.NumberLike, 'number'],
]

function affinityOf(type: ts.Type, checker: ts.TypeChecker): string {
  const found = AFFINITIES.find(([flag]) => type.flags & flag)
  return found
    ? found[1]
    : /^(Buffer|Uint8Array)\b/.test(checker.typeToString(type))
      ? 'BLOB'
      : checker.typeToString(type)
}

/** Reads the columns of every table from the types: those of `source`, which declares `interface Schema`. */
export function readTypedColumns(file = join(root, 'db/schema.ts')): TableShapes {
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
  })
  const checker = program.getTypeChecker()
  const sourceFile = program.getSourceFile(file)!
  const schema = sourceFile.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === 'Schema')!
  const propertiesOf = (type: ts.Type) =>
    type.getProperties().map((one) => [one.name, checker.getTypeOfSymbol(one)] as const)
  /** `Generated<T>` and `ColumnType<…>` are objects whose `__select__` is what a query reads. */
  const toShape = (type: ts.Type): ColumnShape => {
    const [, selected] = propertiesOf(type).find(([name]) => name === '__select__') ?? []
    const [, inserted] = propertiesOf(type).find(([name]) => name === '__insert__') ?? []
    const parts = (one: ts.Type) => (one.isUnion() ? one.types : [one])
    const read = parts(selected ?? type)
    const affinities = new Set(
      read.filter((one) => !(one.flags & ts.TypeFlags.Null)).map((one) => affinityOf(one, checker)),
    )
    const isNullable = read.some((one) => one.flags & ts.TypeFlags.Null)
    return {
      affinity: [...affinities].sort().join(' | '),
      isNullable,
      hasDefault:
        !isNullable && inserted !== undefined && parts(inserted).some((one) => one.flags & ts.TypeFlags.Undefined),
    }
  }
  return Object.fromEntries(
    propertiesOf(checker.getTypeAtLocation(schema)).flatMap(([table, type]) =>
      propertiesOf(type).map(([column, columnType]) => [`${table}.${column}`, toShape(columnType)]),
    ),
  )
}
