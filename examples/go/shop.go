package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
)

const price = "12.50"

// Purchase is what a customer wants, and what has become of it.
type Purchase struct {
	ID      string `json:"id"`
	State   string `json:"state"`
	Parcels int    `json:"parcels"`
}

// Shop keeps what was bought and what was sent in memory; yours has a database.
type Shop struct {
	payments  *Payments
	lock      sync.Mutex
	purchases map[string]*Purchase
}

// NewShop opens a shop without purchases.
func NewShop(payments *Payments) *Shop {
	return &Shop{payments: payments, purchases: map[string]*Purchase{}}
}

// Buy opens an order with the service. The same id again is the same purchase.
func (s *Shop) Buy(id string) (Purchase, error) {
	// Stored first: a webhook may be faster than the answer.
	s.lock.Lock()
	if s.purchases[id] == nil {
		s.purchases[id] = &Purchase{ID: id, State: "waiting"}
	}
	s.lock.Unlock()
	if err := s.payments.Open(id, price); err != nil {
		return Purchase{}, err
	}
	purchase, _ := s.find(id)
	return purchase, nil
}

// Settle asks the service what has become of a purchase, and acts on it once. It says false if there is none.
func (s *Shop) Settle(id string) (Purchase, bool, error) {
	purchase, exists := s.find(id)
	if purchase.State != "waiting" {
		return purchase, exists, nil
	}
	status, err := s.payments.StatusOf(id)
	if err != nil {
		return Purchase{}, true, err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	kept := s.purchases[id]
	// Meanwhile another webhook may have settled it.
	if kept.State != "waiting" {
		return *kept, true, nil
	}
	switch status {
	case "COMPLETED":
		kept.State = "shipped"
		kept.Parcels++
	case "FAILED":
		kept.State = "declined"
	}
	return *kept, true, nil
}

func (s *Shop) find(id string) (Purchase, bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if purchase := s.purchases[id]; purchase != nil {
		return *purchase, true
	}
	return Purchase{}, false
}

// ServeHTTP is the shop's web API:
//
//	PUT /purchases/<id>   buys a mug
//	GET /purchases/<id>   what has become of it
//	POST /webhooks        where the payment service sends its webhooks
func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := strings.TrimPrefix(r.URL.Path, "/purchases/")
	switch r.Method {
	case http.MethodPut:
		purchase, err := s.Buy(id)
		answer(w, purchase, true, err)
	case http.MethodGet:
		// Customers come back to this page before any webhook does, or when none ever comes.
		purchase, exists, err := s.Settle(id)
		answer(w, purchase, exists, err)
	case http.MethodPost:
		s.webhook(w, r)
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

func (s *Shop) webhook(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // half a webhook is repeated
	}
	if !s.payments.IsGenuine(r.Header, body) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var event struct{ RequestID string }
	if err := json.Unmarshal(body, &event); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	// A webhook about something that this shop has not sold is none of its business.
	purchase, _, err := s.Settle(event.RequestID)
	answer(w, purchase, true, err)
}

func answer(w http.ResponseWriter, purchase Purchase, exists bool, err error) {
	w.Header().Set("Content-Type", "application/json")
	switch {
	case err != nil:
		// The service repeats a webhook that is answered with 503.
		w.WriteHeader(http.StatusServiceUnavailable)
		json.NewEncoder(w).Encode(map[string]string{"error": err.Error()})
	case !exists:
		w.WriteHeader(http.StatusNotFound)
	default:
		json.NewEncoder(w).Encode(purchase)
	}
}
