'use client'
import { Plus } from 'lucide-react'

export function AddDog({ className, label }) {
  return (
    <button
      className={className}
      type="button"
      aria-label="Añadir perro"
      onClick={() => document.getElementById('add-dog')?.showModal()}
    >
      <Plus aria-hidden="true" />
      <span className="word">{label}</span>
    </button>
  )
}
