import { cache } from 'react'
import { sql } from './db.js'

/** What stands at an address: null, a dog that moved, or the dog with all that its page shows. Once a request. */
export const loadDog = cache((breed, slug) => {
  const at = sql('SELECT dog_id FROM dog_paths WHERE breed_slug = ? AND slug = ?').get(breed, slug)
  const row = at?.dog_id && sql('SELECT * FROM dogs WHERE id = ?').get(at.dog_id)
  if (!row) return null
  const path = `/${row.path_breed}/${row.path_slug}`
  if (path !== `/${breed}/${slug}`) return { moved: path }
  const images = sql('SELECT * FROM dog_images WHERE dog_id = ? ORDER BY "order"').all(row.id)
  const dog = { ...row, path, images, card: cardOf(row) }
  return { dog, ...peopleOf(row), comments: commentsOf(row.id), firstLiker: firstLikerOf(row.id) }
})

/** «holo» among the ten most liked, «platinum» for the first of its breed. */
function cardOf(row) {
  const isFirst = sql(
    `SELECT 1 FROM dogs d WHERE d.id = ? AND NOT EXISTS (SELECT 1 FROM dogs o WHERE o.breed_slug = d.breed_slug
     AND (o.created_at, o.id) < (d.created_at, d.id))`,
  ).get(row.id)
  const top = sql('SELECT id FROM dogs WHERE votes >= 5 ORDER BY votes DESC, id DESC LIMIT 10').all()
  if (top.some(({ id }) => id === row.id)) return 'holo'
  return isFirst ? 'platinum' : null
}

function peopleOf({ user_id, owner_id, discoverer_id }) {
  const ids = [user_id, owner_id, discoverer_id].filter((id) => id !== null)
  const rows = ids.length
    ? sql(`SELECT id, alias, emoji, verified FROM profiles WHERE id IN (${ids.map(() => '?').join()})`).all(...ids)
    : []
  const find = (id) => rows.find((row) => row.id === id) ?? null
  const uploader = find(discoverer_id ?? owner_id)
  return {
    uploader,
    owner: discoverer_id && owner_id !== discoverer_id ? find(owner_id) : null,
    author: find(user_id) ?? uploader,
  }
}

/** The newest twenty, and whether there are more. */
function commentsOf(dogId) {
  const rows = sql(
    `SELECT c.id, c.user_id, c.content, c.created_at, p.alias, p.emoji FROM comments c
     LEFT JOIN profiles p ON p.id = c.user_id WHERE c.dog_id = ?
     ORDER BY c.created_at DESC, c.id DESC LIMIT 21`,
  ).all(dogId)
  return { rows: rows.slice(0, 20), more: rows.length > 20 }
}

const firstLikerOf = (dogId) =>
  sql(
    `SELECT p.alias FROM dog_likes l LEFT JOIN profiles p ON p.id = l.user_id WHERE l.dog_id = ?
     ORDER BY l.created_at DESC, l.id DESC LIMIT 1`,
  ).get(dogId)?.alias ?? ''

export const countProfiles = () => sql("SELECT value FROM totals WHERE name = 'profiles'").get()?.value ?? 0
