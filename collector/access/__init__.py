"""Who may write and who may read: tokens, where they are kept, and the guard that each door asks (X-01, X-02, X-05).

A request's way: `credentials` (header → secret) → `book` (secret → scopes) → `guard` (may it pass?) → `failures`.
"""
