const full = new Intl.DateTimeFormat('es-ES', { timeZone: 'Europe/Madrid', dateStyle: 'long' })
const number = new Intl.NumberFormat('es-ES')
const grouped = new Intl.NumberFormat('es-ES', { useGrouping: 'always' })

export const SEALS = { holo: 'Holo', platinum: 'Primera de su raza' }

export const formatDate = (time) => full.format(time)
export const formatNumber = (value) => number.format(value)
export const shownName = (name) => (name === '???' ? 'Sin nombre' : name)

export function shownAge({ age, age_unit: unit }) {
  if (age === null) return null
  const total = unit === 'meses' ? age : age * 12
  const months = (n) => (n === 1 ? '1 mes' : `${n} meses`)
  if (total < 12) return months(total)
  const years = Math.floor(total / 12)
  const whole = years === 1 ? '1 año' : `${years} años`
  return total % 12 ? `${whole} ${months(total % 12)}` : whole
}

export const photoAlt = (dog) =>
  [shownName(dog.name), dog.breed, dog.zone && `en ${dog.zone}`].filter(Boolean).join(', ')

export const photoSrc = (url) => (url.startsWith('/photos/') ? `/_ipx/s_900x900,q_85,f_auto${url}` : url)

export const likerSummary = (count, first) => (count <= 1 ? first : `${first} y ${count - 1}+`)

export const commentCount = (count) => (count === 1 ? '1 comentario' : `${count} comentarios`)

export const title = (dog) => `${shownName(dog.name)}, ${dog.breed} | Perrario`

export function description(dog) {
  const card = dog.card && `cromo ${dog.card === 'holo' ? 'holo' : 'platino'}`
  const weight = dog.weight !== null && `${formatNumber(dog.weight)} kg`
  const parts = [dog.breed, shownAge(dog), weight, card, dog.zone].filter(Boolean)
  return `${shownName(dog.name)}: ${parts.join(', ')}. Míralo en Perrario, el álbum de los perros.`
}

export const joinText = (profiles) =>
  `${profiles ? `Ya ${profiles === 1 ? 'hay 1 perfil registrado' : `hay ${grouped.format(profiles)} perfiles registrados`}. ` : ''}Únete gratis y empieza tu álbum.`
