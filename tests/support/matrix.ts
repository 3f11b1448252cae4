import type { Db } from '#db/client.ts'
import { matrixWorld as makeWorld, type MatrixWorld as World } from './matrix/world.ts'

/** The roles of the soak, which are asked for thousands of times in one community: none of them keeps another from writing. */
export const ROLES = ['anonymous', 'other', 'owner', 'admin', 'expired'] as const
export type Role = (typeof ROLES)[number]

export interface MatrixWorld extends World {
  /** The Cookie header of each role; empty for nobody. */
  cookies: Record<Role, string>
}

/** The matrix's community with the soak's roles. @param adminEmail who the server takes for the admin */
export async function matrixWorld(db: Db, dataDir: string, adminEmail: string): Promise<MatrixWorld> {
  const world = await makeWorld(db, dataDir, adminEmail)
  const [other, owner, admin, expired] = [
    await world.cookieOf('member'),
    await world.cookieOf('owner'),
    await world.cookieOf('admin'),
    await world.cookieOf('expired'),
  ]
  return { ...world, cookies: { anonymous: '', other, owner, admin, expired } }
}
